import type { ComponentProps, ReactNode } from 'react';
import { joined } from './class-names.ts';
import css from './chip.module.css';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-paths.ts';

interface ChipLook {
  icon?: IconName | undefined;
  children: ReactNode;
}

/** Pill-shaped button; `aria-pressed` shows it chosen. */
export function Chip({ icon, children, className, ...rest }: ChipLook & ComponentProps<'button'>) {
  return (
    <button type="button" className={joined(css.chip, className)} {...rest}>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </button>
  );
}

export interface ChipLinkProps extends Omit<ComponentProps<'a'>, 'children'>, ChipLook {
  /** This chip names the page or list shown. */
  current?: boolean | undefined;
  /** Following it takes a filter away: chosen look, a cross, and this as its whole text ("Remove filter: Mobile"). */
  removeLabel?: string | undefined;
}

export function ChipLink({ icon, current, removeLabel, children, ...rest }: ChipLinkProps) {
  return (
    <a
      className={removeLabel === undefined ? css.chip : `${css.chip} ${css.on}`}
      aria-current={current ? 'true' : undefined}
      aria-label={removeLabel}
      {...rest}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
      {removeLabel === undefined ? null : <Icon name="x" />}
    </a>
  );
}

/** One choice of a few, as a pill; works without script. */
export function ChipRadio({ children, ...rest }: { children: ReactNode } & ComponentProps<'input'>) {
  return (
    <label className={css.chip}>
      <input type="radio" {...rest} />
      {children}
    </label>
  );
}

/** Row of chips that scrolls sideways to the edges of the page; breaks into lines on a desktop (`wrap`: everywhere). */
export function ChipRow({ wrap, ...rest }: { wrap?: boolean | undefined } & ComponentProps<'div'>) {
  return <div ref={wrap ? undefined : showCurrent} className={wrap ? css.wrap : css.scroll} {...rest} />;
}

/** Scrolls the row, not the page, so that the chip of the list shown is in sight. */
function showCurrent(row: HTMLElement | null): void {
  const current = row?.querySelector('[aria-current]');
  if (!row || !current) return;
  const room = row.getBoundingClientRect();
  const chip = current.getBoundingClientRect();
  if (chip.left < room.left || chip.right > room.right) row.scrollLeft += (chip.left + chip.right - room.left - room.right) / 2;
}
