import css from './picture.module.css'

/** An `img` whose room is known before it loads. */
export interface ImageSource {
  src: string
  srcSet?: string | undefined
  sizes?: string | undefined
  /** In pixels; only their ratio matters. */
  width: number
  height: number
}

export interface PictureProps extends ImageSource {
  /** Empty when the text beside says the same. */
  alt: string
  /** Box it fills: a cover (3:4) by default, `square`, `wide` (8:5), `banner` (8:5, from 768 px 21:9). */
  ratio?: 'square' | 'wide' | 'banner' | undefined
  /** Waits until it nears the screen. True unless said otherwise. */
  lazy?: boolean | undefined
  priority?: 'high' | 'low' | undefined
  /** Hangs from a piece of rail. */
  hanging?: boolean | undefined
}

export function Picture({ alt, ratio, lazy = true, priority, hanging, ...source }: PictureProps) {
  const box = (
    <span className={ratio === undefined ? css.cover : `${css.cover} ${css[ratio]}`}>
      <img
        loading={lazy ? 'lazy' : undefined}
        decoding={lazy ? 'async' : undefined}
        fetchPriority={priority}
        {...source}
        alt={alt}
      />
    </span>
  )
  return hanging ? <span className={css.rail}>{box}</span> : box
}
