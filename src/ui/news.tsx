import type { ReactNode } from 'react';
import css from './news.module.css';
import { Picture, type ImageSource } from './picture.tsx';

export interface NewsCardProps {
  href: string;
  image: ImageSource;
  date: string;
  title: string;
  target?: '_blank' | undefined;
}

export function NewsCard({ href, image, date, title, target }: NewsCardProps) {
  return (
    <a className={css.card} href={href} target={target}>
      <Picture {...image} alt="" ratio="wide" />
      <span>{date}</span>
      <h3>{title}</h3>
    </a>
  );
}

/** Cards of equal width, as many a row as fit at 18 rem. */
export function CardGrid({ children }: { children: ReactNode }) {
  return <div className={css.grid}>{children}</div>;
}
