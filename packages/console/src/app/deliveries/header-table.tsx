import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Untrusted } from '../ui/text.tsx'

const shownAtFirst = 12

/** The headers of a delivery. Secrets and signatures are already redacted. */
export function HeaderTable({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  const [showsAll, setShowsAll] = useState(false)
  const all = Object.entries(headers).sort(([one], [other]) => one.localeCompare(other))
  return (
    <>
      <dl className="headers">
        {(showsAll ? all : all.slice(0, shownAtFirst)).map(([name, value]) => (
          <div key={name} className="header">
            <dt>
              <Untrusted text={name} limit={100} />
            </dt>
            <dd>
              <Untrusted text={value} limit={300} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="card-foot">
        {all.length > shownAtFirst && (
          <Button
            look="quiet"
            onPress={() => {
              setShowsAll(!showsAll)
            }}
          >
            {showsAll ? 'Show fewer' : `Show all ${all.length}`}
          </Button>
        )}
        <CopyButton
          text={() => all.map(([name, value]) => `${name}: ${value}`).join('\n')}
          label="Copy headers"
        />
      </p>
    </>
  )
}
