import css from './avatar.module.css'
import { joined } from './class-names.ts'

export interface AvatarProps {
  /** Stands for the person when there is no picture. */
  name: string
  picture?: string | undefined
  /** 36 px by default, 48, 88. */
  size?: 'medium' | 'large' | undefined
  /** Letters on ink, where the avatar stands in the page and not in a bar. */
  strong?: boolean | undefined
}

/** Round picture of a person, or the letters of their name. Decorative: the name stands beside it or in a label. */
export function Avatar({ name, picture, size, strong }: AvatarProps) {
  return (
    <span
      className={joined(
        css.avatar,
        size && css[size],
        strong && picture === undefined && css.strong,
      )}
      aria-hidden="true"
    >
      {picture === undefined ? (
        initialsOf(name)
      ) : (
        <img src={picture} alt="" width={88} height={88} decoding="async" />
      )}
    </span>
  )
}

const LETTER = /[\p{L}\p{N}]\p{M}*/u

/** First letters of the first two words, as a name is written ("RizkyGG" → "RG", "陈伟" → "陈"). */
export function initialsOf(name: string): string {
  const words = name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[\s._-]+/u)
    .flatMap((word) => LETTER.exec(word)?.[0] ?? [])
  const letters = words.slice(0, 2).join('')
  return letters === '' ? '?' : letters.toUpperCase()
}

/** A person: picture, name, and a line under it. */
export function Who({ name, note, ...avatar }: AvatarProps & { note?: string | undefined }) {
  return (
    <div className={css.who}>
      <Avatar name={name} size="medium" strong {...avatar} />
      <div>
        <b>
          <bdi>{name}</bdi>
        </b>
        {note === undefined ? null : <small>{note}</small>}
      </div>
    </div>
  )
}
