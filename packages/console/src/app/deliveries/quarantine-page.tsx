import { Link } from 'wouter'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { PageHeader } from '../layout/layout.tsx'
import { useOperator } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { ListFrame } from '../ui/list-frame.tsx'
import { Empty, Notice } from '../ui/notice.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { useList } from '../ui/use-list.ts'
import { BulkReplay } from './bulk-replay.tsx'
import type { Delivery } from './delivery-table.tsx'

const quarantined = { status: 'quarantined' } as const

/** Verified deliveries that their provider could not normalize, with the fields that do not fit. */
export function QuarantinePage() {
  const { has } = useFeatures()
  const operator = useOperator()
  const list = useList({
    key: ['deliveries', quarantined],
    load: (cursor, signal) =>
      unwrap(api.GET('/deliveries', { params: { query: { ...quarantined, cursor, limit: 50 } }, signal })),
    refreshMs: 10_000,
  })
  const canReplay = has('replayDelivery') && operator?.may('replay') === true
  return (
    <>
      <PageHeader
        title="Quarantine"
        tabTitle="Quarantine"
        lead="The signature is valid, but the provider could not normalize the delivery. Nothing is lost: correct the provider, then normalize again."
      >
        {canReplay && has('replayDeliveries') && list.items.length > 0 && (
          <BulkReplay filters={quarantined} label="Normalize all again" />
        )}
      </PageHeader>
      <ListFrame
        list={list}
        empty={<Empty title="No delivery is quarantined." />}
        end="These are all quarantined deliveries."
      >
        <ul className="stack">
          {list.items.map((delivery) => (
            <Item key={delivery.id} delivery={delivery} canReplay={canReplay} />
          ))}
        </ul>
      </ListFrame>
    </>
  )
}

function Item({ delivery, canReplay }: { readonly delivery: Delivery; readonly canReplay: boolean }) {
  const queries = useQueryClient()
  const { id, reason, reason_detail: detail } = delivery
  const replay = useMutation({
    mutationFn: () =>
      unwrap(api.POST('/deliveries/{id}/replays', { params: { path: { id } }, body: { as_new: false } })),
    onSuccess: ({ data }) =>
      data.outcome === 'quarantined' ? undefined : queries.invalidateQueries({ queryKey: ['deliveries'] }),
  })
  return (
    <li className="card item">
      <div className="item-main">
        <p>
          <Link href={`/deliveries/${id}`} className="row-link">
            <Untrusted text={delivery.provider} limit={80} />
          </Link>{' '}
          <code className="reason">
            <Untrusted text={reason ?? 'unknown'} limit={80} />
          </code>
        </p>
        {detail !== null && (
          <ul className="fields" aria-label="Fields that do not fit">
            {detail
              .split(/,\s*/)
              .slice(0, 20)
              .map((field, index) => (
                <li key={index}>
                  <code>
                    <Untrusted text={field} limit={160} />
                  </code>
                </li>
              ))}
          </ul>
        )}
        <p className="muted">
          Received <Time value={delivery.created_at} />, {id}
        </p>
        {replay.data?.data.outcome === 'quarantined' && <Notice tone="warn">Still quarantined.</Notice>}
        {replay.isError && <Notice tone="bad">{replay.error.message}</Notice>}
      </div>
      {canReplay && (
        <Button
          isDisabled={replay.isPending}
          onPress={() => {
            replay.mutate()
          }}
        >
          Normalize again
        </Button>
      )}
    </li>
  )
}
