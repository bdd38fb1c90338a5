import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { useOperator } from '../session/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { EndpointName } from '../ui/endpoint-name.tsx'
import { ListFrame } from '../ui/list-frame.tsx'
import { Empty, ErrorNotice } from '../ui/notice.tsx'
import { Id, Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { useList } from '../ui/use-list.ts'

type Letter = Schemas['ConsumerDeadLetter']

/** The dead letters of a consumer, with their retry and deletion. */
export function DeadLetters({ consumer }: { readonly consumer: string }) {
  const { has } = useFeatures()
  const may = useOperator()?.may('replay') === true
  const list = useList({
    key: ['consumers', consumer, 'dead-letters'],
    load: (cursor, signal) =>
      unwrap(
        api.GET('/consumers/{name}/dead-letters', {
          params: { path: { name: consumer }, query: { cursor, limit: 20 } },
          signal,
        }),
      ),
    refreshMs: 5000,
  })
  const retryAll = useChange(async () => {
    const params = { path: { name: consumer } }
    while ((await unwrap(api.POST('/consumers/{name}/dead-letters/retries', { params }))).data.more);
  })
  return (
    <ListFrame
      list={list}
      empty={<Empty title="The consumer has no dead letters." />}
      end="These are all dead letters."
    >
      {may && has('retryConsumerDeadLetters') && (
        <div className="actions">
          <Button
            isDisabled={retryAll.isPending}
            onPress={() => {
              retryAll.mutate()
            }}
          >
            Retry all dead letters
          </Button>
        </div>
      )}
      {retryAll.isError && <ErrorNotice error={retryAll.error} />}
      <ul className="stack">
        {list.items.map((letter) => (
          <LetterItem key={letter.sequence} consumer={consumer} letter={letter} />
        ))}
      </ul>
    </ListFrame>
  )
}

function LetterItem({ consumer, letter }: { readonly consumer: string; readonly letter: Letter }) {
  const { name, subject, event_id: eventId, delivery_id: delivery, retried } = letter
  const { has } = useFeatures()
  const operator = useOperator()
  const [isAsking, setAsking] = useState(false)
  const params = { path: { name: consumer, sequence: String(letter.sequence) } }
  const retry = useChange(() =>
    unwrap(api.POST('/consumers/{name}/dead-letters/{sequence}/retry', { params })),
  )
  const discard = useChange(() => unwrap(api.DELETE('/consumers/{name}/dead-letters/{sequence}', { params })))
  const text = <Untrusted text={name ?? 'not an event'} limit={120} />
  return (
    <li className="card item">
      <div className="item-main">
        <p>
          <span className="reason">
            <Untrusted text={letter.error} limit={200} />
          </span>{' '}
          {retried && <Badge state="retried" tone="busy" />}
        </p>
        <p>
          <code>{delivery === null ? text : <Link href={`/deliveries/${delivery}`}>{text}</Link>}</code>
          {subject !== null && (
            <>
              {' of '}
              <Untrusted text={subject} limit={120} />
            </>
          )}
        </p>
        {letter.endpoint !== null && (
          <p>
            <EndpointName of={letter} />
          </p>
        )}
        <p className="muted">
          <Id value={eventId} />, <Time value={letter.dead_at} isRelative />
        </p>
        {retry.isError && <ErrorNotice error={retry.error} />}
      </div>
      <div className="actions">
        {operator?.may('replay') && has('retryConsumerDeadLetter') && !retried && (
          <Button
            isDisabled={retry.isPending}
            onPress={() => {
              retry.mutate()
            }}
          >
            Retry
          </Button>
        )}
        {operator?.may('erase') && has('deleteConsumerDeadLetter') && (
          <Button
            look="danger"
            onPress={() => {
              setAsking(true)
            }}
          >
            Delete…
          </Button>
        )}
      </div>
      <Confirm
        title="Delete the dead letter"
        isOpen={isAsking}
        onClose={() => {
          setAsking(false)
        }}
        action="Delete"
        isDangerous
        change={discard}
      >
        <p>The consumer never handles the event. Its delivery stays and can be replayed.</p>
      </Confirm>
    </li>
  )
}

/** A change of dead letters, after which the consumers are read again. */
function useChange(change: () => Promise<unknown>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => queries.invalidateQueries({ queryKey: ['consumers'] }),
  })
}
