import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api, unwrap } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { ErrorNotice, Loading } from '../ui/notice.tsx'
import { Untrusted } from '../ui/text.tsx'
import { compareDeliveries, maxDifferences } from './differences.ts'
import type { DeliveryDetail } from './delivery-page.tsx'
import { useFilters } from './use-filters.ts'

const names = ['compare']

/** Compares the headers, the query and the body with those of another delivery, whose id is in the address. */
export function Compare({ delivery }: { readonly delivery: DeliveryDetail }) {
  const [{ compare: other }, setFilters] = useFilters(names)
  const [text, setText] = useState(other ?? '')
  return (
    <>
      <form
        className="inline-form"
        onSubmit={(event) => {
          event.preventDefault()
          setFilters({ compare: text.trim() })
        }}
      >
        <TextField label="Id of another delivery" value={text} onChange={setText} spellCheck="false" />
        <Button type="submit">Compare</Button>
      </form>
      {other !== undefined && <Differences delivery={delivery} other={other} />}
    </>
  )
}

function Differences({ delivery, other }: { readonly delivery: DeliveryDetail; readonly other: string }) {
  const query = useQuery({
    queryKey: ['delivery', other],
    queryFn: ({ signal }) => unwrap(api.GET('/deliveries/{id}', { params: { path: { id: other } }, signal })),
  })
  const differences = useMemo(
    () => query.data && compareDeliveries(delivery, query.data.data),
    [delivery, query.data],
  )
  if (query.isPending) return <Loading />
  if (query.isError) return <ErrorNotice error={query.error} />
  if (differences === undefined || differences.length === 0)
    return <p>The headers, the queries and the bodies are equal.</p>
  return (
    <ul className="differences" aria-label="Differences">
      {differences.map(({ path, mine, theirs }) => (
        <li key={path}>
          <code className="difference-path">
            <Untrusted text={path} limit={160} />
          </code>
          <Side label="this" value={mine} tone="mine" />
          <Side label="other" value={theirs} tone="theirs" />
        </li>
      ))}
      {differences.length === maxDifferences && (
        <li className="muted">Only the first {maxDifferences} differences are shown.</li>
      )}
    </ul>
  )
}

function Side({
  label,
  value,
  tone,
}: {
  readonly label: string
  readonly value: string | undefined
  readonly tone: string
}) {
  return (
    <span className={`difference difference-${tone}`}>
      <span className="muted">{label} </span>
      {value === undefined ? <em className="muted">absent</em> : <Untrusted text={value} limit={160} />}
    </span>
  )
}
