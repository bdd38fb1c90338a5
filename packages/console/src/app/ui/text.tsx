import { Fragment } from 'react'
import { splitVisible, splitWords } from './visible-text.ts'

/**
 * Text of strangers, as text nodes only. Invisible and bidirectional control characters become visible, and the direction
 * of the text cannot affect its surroundings.
 */
export function Untrusted({ text, limit = 400 }: { readonly text: string; readonly limit?: number }) {
  const shown = text.length > limit ? text.slice(0, limit) : text
  return (
    <bdi className="untrusted">
      {splitVisible(shown).map((piece, index) =>
        'text' in piece ? (
          <Words key={index} text={piece.text} />
        ) : (
          <span key={index} className="invisible" title={piece.name}>
            {piece.label}
          </span>
        ),
      )}
      {text.length > limit && (
        <span className="muted"> … {(text.length - limit).toLocaleString('en')} more</span>
      )}
    </bdi>
  )
}

/** Text that breaks at its word borders, such as `issues.opened` after the dot. */
const Words = ({ text }: { readonly text: string }) =>
  splitWords(text).map((word, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {word}
    </Fragment>
  ))

/** An id in a monospaced font that shows its end if the space is short. */
export function Id({ value }: { readonly value: string }) {
  return (
    <code className="id" title={value.length > 200 ? undefined : value}>
      <Untrusted text={value} limit={200} />
    </code>
  )
}
