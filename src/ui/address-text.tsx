import { Fragment } from 'react'

/** Where an address may break rather than within a word: after its sign, after a slash. */
const JOINTS = /(?<=[@/])/

/** The address of a mailbox or a page. */
export function AddressText({
  className,
  children,
}: {
  className?: string | undefined
  children: string
}) {
  return (
    <bdi className={className}>
      {children.split(JOINTS).map((part, index) => (
        <Fragment key={index}>
          {index === 0 ? null : <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  )
}
