import { useDeferredValue, useMemo, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Icon } from '../layout/icons.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Rows } from './rows.tsx'
import { findLine, findMatches, maxMatches, splitLines } from './text-lines.ts'

const columns = 160

/** Text with line numbers and a search. Long lines continue on the next one. */
export function TextView({ text }: { readonly text: string }) {
  const [search, setSearch] = useState('')
  const [current, setCurrent] = useState(0)
  const wanted = useDeferredValue(search)
  const lines = useMemo(() => splitLines(text, columns), [text])
  const matches = useMemo(() => findMatches(text, wanted), [text, wanted])
  const match = matches[current]
  const go = (step: number) => {
    if (matches.length > 0) setCurrent((current + step + matches.length) % matches.length)
  }
  return (
    <>
      <div className="body-search" role="search">
        <Icon name="search" />
        <input
          className="input"
          type="search"
          aria-label="Search in the body"
          placeholder="Search in the body"
          value={search}
          onChange={({ target }) => {
            setSearch(target.value)
            setCurrent(0)
          }}
          onKeyDown={({ key, shiftKey }) => {
            if (key === 'Enter') go(shiftKey ? -1 : 1)
          }}
        />
        <span className="muted" role="status">
          {wanted !== '' &&
            (matches.length === 0
              ? 'No match'
              : `${current + 1} of ${matches.length === maxMatches ? `${maxMatches} or more` : matches.length}`)}
        </span>
        <Button
          look="quiet"
          aria-label="Previous match"
          isDisabled={matches.length === 0}
          onPress={() => {
            go(-1)
          }}
        >
          <Icon name="left" />
        </Button>
        <Button
          look="quiet"
          aria-label="Next match"
          isDisabled={matches.length === 0}
          onPress={() => {
            go(1)
          }}
        >
          <Icon name="right" />
        </Button>
      </div>
      <Rows
        count={lines.length}
        label="Body as text"
        scrollTo={match === undefined ? undefined : findLine(lines, match)}
      >
        {(index) => {
          const line = lines[index]
          if (line === undefined) return null
          return (
            <div className="text-line">
              <span className="line-number" aria-hidden="true">
                {line.number}
              </span>
              <Marked
                text={text.slice(line.start, line.end)}
                from={(match ?? -1) - line.start}
                length={wanted.length}
              />
            </div>
          )
        }}
      </Rows>
    </>
  )
}

/** A line with the part of the current match that is in it. */
function Marked({
  text,
  from,
  length,
}: {
  readonly text: string
  readonly from: number
  readonly length: number
}) {
  const [start, end] = [Math.max(from, 0), Math.min(from + length, text.length)]
  if (length === 0 || start >= end) return <Untrusted text={text} limit={columns} />
  return (
    <>
      <Untrusted text={text.slice(0, start)} limit={columns} />
      <mark>
        <Untrusted text={text.slice(start, end)} limit={columns} />
      </mark>
      <Untrusted text={text.slice(end)} limit={columns} />
    </>
  )
}
