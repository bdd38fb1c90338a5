import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { BodyView } from '../body/body-view.tsx'
import { decodeBody } from '../body/decode.ts'
import { PageHeader } from '../layout/layout.tsx'
import { Badge } from '../ui/badge.tsx'
import { Card, Fact } from '../ui/card.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { formatBytes } from '../ui/format.ts'
import { ErrorNotice, Loading, Notice } from '../ui/notice.tsx'
import { EndpointName } from '../ui/endpoint-name.tsx'
import { Id, Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { Compare } from './compare.tsx'
import { DeliveryActions } from './delivery-actions.tsx'
import { EventList } from './event-list.tsx'
import { HeaderTable } from './header-table.tsx'
import { Timeline } from './timeline.tsx'

export type DeliveryDetail = Schemas['DeliveryDetail']

/** One delivery with everything that is known about it. */
export function DeliveryPage({ id }: { readonly id: string }) {
  const query = useQuery({
    queryKey: ['delivery', id],
    queryFn: ({ signal }) => unwrap(api.GET('/deliveries/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) =>
      state.data?.data.events.some(({ state: one }) => one === 'pending' || one === 'queued') ? 2000 : false,
  })
  if (query.isPending) return <Loading />
  if (query.isError && query.data === undefined) {
    return (
      <>
        <PageHeader title="Delivery" tabTitle="Delivery" />
        <ErrorNotice error={query.error} onRetry={query.refetch} />
      </>
    )
  }
  return <Detail delivery={query.data.data} />
}

function Detail({ delivery }: { readonly delivery: DeliveryDetail }) {
  const { events, headers } = delivery
  const body = useMemo(() => (delivery.body ? decodeBody(delivery.body) : undefined), [delivery.body])
  const name = events[0]?.name ?? delivery.provider
  return (
    <>
      <p className="crumbs">
        <Link href="/deliveries">← Deliveries</Link>
      </p>
      <PageHeader
        tabTitle={`${delivery.provider} ${delivery.id.slice(0, 8)}`}
        title={
          <>
            <Untrusted text={name} limit={120} /> <Badge state={delivery.status} />
          </>
        }
        lead={events[0] && <Untrusted text={events[0].subject} limit={200} />}
      >
        <DeliveryActions delivery={delivery} body={body} />
      </PageHeader>
      {delivery.status === 'quarantined' && <QuarantineNotice delivery={delivery} />}
      <div className="columns">
        <div className="column-main">
          <Card title="Timeline">
            <Timeline delivery={delivery} />
          </Card>
          <Card title={events.length === 1 ? 'Event' : `Events (${events.length})`}>
            <EventList events={events} />
          </Card>
          <Card title="Body">
            {body ? (
              <BodyView body={body} />
            ) : (
              <p className="muted">
                {delivery.body_state === 'erased'
                  ? 'An operator erased the body.'
                  : 'The body is deleted: its retention has passed.'}
              </p>
            )}
          </Card>
        </div>
        <div className="column-side">
          <Card title="Facts">
            <dl className="facts">
              <Fact name="Delivery">
                <Id value={delivery.id} /> <CopyButton text={delivery.id} label="Copy id" />
              </Fact>
              <Fact name="Provider">{delivery.provider}</Fact>
              <Fact name="Endpoint">
                <EndpointName of={delivery} />
              </Fact>
              <Fact name="Received">
                <Time value={delivery.created_at} /> (<Time value={delivery.created_at} isRelative />)
              </Fact>
              {delivery.query !== null && (
                <Fact name="Query">
                  <code>
                    <Untrusted text={delivery.query} limit={1000} />
                  </code>
                </Fact>
              )}
              <Fact name="Body">
                {formatBytes(delivery.body_bytes)}, {delivery.body_state}
              </Fact>
            </dl>
          </Card>
          <Card title={`Headers (${Object.keys(headers).length})`}>
            <HeaderTable headers={headers} />
          </Card>
          <Card title="Compare">
            <Compare delivery={delivery} />
          </Card>
        </div>
      </div>
    </>
  )
}

function QuarantineNotice({ delivery }: { readonly delivery: DeliveryDetail }) {
  return (
    <Notice tone="warn">
      <p>
        <strong>The signature is valid, but the provider cannot normalize this delivery.</strong>
      </p>
      <p>
        Reason: <code>{delivery.reason === null ? 'unknown' : <Untrusted text={delivery.reason} />}</code>
      </p>
      {delivery.reason_detail !== null && (
        <p>
          Fields:{' '}
          <code>
            <Untrusted text={delivery.reason_detail} limit={1000} />
          </code>
        </p>
      )}
      <p className="muted">
        Correct the provider, then use “Normalize again”. The delivery keeps its time and its ids.
      </p>
    </Notice>
  )
}
