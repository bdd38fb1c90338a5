import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { Button } from '../ui/button.tsx'
import { formatCount } from '../ui/format.ts'
import { Empty, ErrorNotice, Loading } from '../ui/notice.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { DeadLetters } from './dead-letters.tsx'

type Consumer = Schemas['Consumer']

/** The consumers of the bus in the database, with their lag and dead letters. */
export function Consumers() {
  const query = useQuery({
    queryKey: ['consumers'],
    queryFn: ({ signal }) => unwrap(api.GET('/consumers', { params: { query: { limit: 100 } }, signal })),
    refetchInterval: 5000,
  })
  if (query.isPending) return <Loading />
  if (query.data === undefined) return <ErrorNotice error={query.error} onRetry={query.refetch} />
  const { data } = query.data
  if (data.length === 0) return <Empty title="No consumer reads the bus of the database." />
  return (
    <ul className="stack">
      {data.map((consumer) => (
        <ConsumerItem key={consumer.name} consumer={consumer} />
      ))}
    </ul>
  )
}

/** Formats a count, which stops at 10,000. */
const format = (count: number) => `${formatCount(count)}${count >= 10_000 ? '+' : ''}`

function ConsumerItem({ consumer }: { readonly consumer: Consumer }) {
  const { name, process, pending, failing, dead_letters: dead, last_error: error } = consumer
  const { has } = useFeatures()
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="card item">
      <div className="item-main">
        <p>
          <strong>{name}</strong>{' '}
          <span className="muted">{process === null ? 'no process runs it' : `at ${process}`}</span>
        </p>
        <p>
          {format(pending)} pending, {format(failing)} failing, {format(dead)} dead letters
        </p>
        {error !== null && (
          <p>
            <span className="reason">
              <Untrusted text={error} limit={200} />
            </span>
          </p>
        )}
        {consumer.oldest_pending_at !== null && (
          <p className="muted">
            Oldest pending event <Time value={consumer.oldest_pending_at} isRelative />
          </p>
        )}
      </div>
      {has('listConsumerDeadLetters') && (dead > 0 || isOpen) && (
        <Button
          aria-expanded={isOpen}
          onPress={() => {
            setOpen(!isOpen)
          }}
        >
          {isOpen ? 'Hide dead letters' : 'Show dead letters'}
        </Button>
      )}
      {isOpen && (
        <div className="item-more">
          <DeadLetters consumer={name} />
        </div>
      )}
    </li>
  )
}
