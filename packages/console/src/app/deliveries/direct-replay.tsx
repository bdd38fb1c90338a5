import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { formatCount } from '../ui/format.ts'
import { ErrorNotice } from '../ui/notice.tsx'

type Totals = Record<'deliveries' | 'replayed' | 'unchanged' | 'quarantined' | 'erased', number>

const none: Totals = { deliveries: 0, replayed: 0, unchanged: 0, quarantined: 0, erased: 0 }
const names = Object.keys(none) as (keyof Totals)[]

/** A replay that the page runs, one part after the other, for an API without replay jobs. */
export function DirectReplay({
  body,
  onClose,
}: {
  readonly body: Schemas['ReplayDeliveries']
  readonly onClose: () => void
}) {
  const [totals, setTotals] = useState(none)
  const stop = useRef(new AbortController())
  const isStarted = useRef(false)
  const queries = useQueryClient()
  const { mutate, ...run } = useMutation({
    mutationFn: async () => {
      const { signal } = stop.current
      let sum = none
      let cursor: string | null = ''
      while (cursor !== null && !signal.aborted) {
        const { data }: { data: object } = await unwrap(
          api.POST('/replays', { body: { ...(body as object), cursor } }),
        )
        const part = data as Schemas['BulkReplay']
        sum = Object.fromEntries(names.map((name) => [name, sum[name] + part[name]])) as Totals
        setTotals(sum)
        cursor = part.next
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['deliveries'] }),
  })
  useEffect(() => {
    if (isStarted.current) return
    isStarted.current = true
    mutate()
  }, [mutate])
  return (
    <>
      <div className="dialog-body">
        <p role="status">
          {formatCount(totals.deliveries)} deliveries: {formatCount(totals.replayed)} replayed,{' '}
          {formatCount(totals.unchanged)} unchanged, {formatCount(totals.quarantined)} still quarantined
          {run.isPending ? '…' : '.'}
        </p>
        {run.isError && <ErrorNotice error={run.error} />}
      </div>
      <div className="dialog-actions">
        {run.isPending && (
          <Button
            onPress={() => {
              stop.current.abort()
            }}
          >
            Stop
          </Button>
        )}
        <Button
          look="primary"
          onPress={() => {
            stop.current.abort()
            onClose()
          }}
        >
          Close
        </Button>
      </div>
    </>
  )
}
