import { useState } from 'react'
import { Link } from 'wouter'
import { api, unwrap } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { endpointFilter, providerFilter, type DeliveryFilter } from '../deliveries/delivery-filters.ts'
import { FilterBar } from '../deliveries/filter-bar.tsx'
import { useFilters } from '../deliveries/use-filters.ts'
import { PageHeader } from '../layout/layout.tsx'
import { Button } from '../ui/button.tsx'
import { ListFrame } from '../ui/list-frame.tsx'
import { LiveSwitch } from '../ui/live-switch.tsx'
import { Empty } from '../ui/notice.tsx'
import { actionsColumn, Table } from '../ui/table.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { useList } from '../ui/use-list.ts'
import { useStream } from '../ui/use-stream.ts'
import { EventData } from './event-data.tsx'
import type { PublishedEvent } from './published-event.ts'

const filters: readonly DeliveryFilter[] = [
  providerFilter,
  { name: 'name', label: 'Name', placeholder: 'github/push' },
  endpointFilter,
]
const names = [...filters.map(({ name }) => name), 'live']

/** Published events, the newest first. */
export function EventsPage() {
  const { has } = useFeatures()
  const [{ live, ...values }, setValues] = useFilters(names)
  const isLive = live !== undefined && has('streamEvents')
  const stream = useStream<PublishedEvent>(
    isLive ? `/events/stream?${new URLSearchParams(values).toString()}` : undefined,
    'event',
  )
  return (
    <>
      <PageHeader title="Events" tabTitle="Events" lead="What the gateway published to the bus.">
        {has('streamEvents') && (
          <LiveSwitch
            isOn={isLive}
            state={stream.state}
            onChange={(isOn) => {
              setValues({ live: isOn ? '1' : '' })
            }}
          />
        )}
      </PageHeader>
      <FilterBar filters={filters} values={values} onChange={setValues} />
      {isLive ? (
        stream.items.length === 0 ? (
          <Empty title="Waiting for events…" />
        ) : (
          <EventTable events={stream.items} />
        )
      ) : (
        <StoredEvents filters={values} />
      )}
    </>
  )
}

/** The list of the API is ascending, so the newest events are on its last page. */
function StoredEvents({ filters: values }: { readonly filters: Readonly<Record<string, string>> }) {
  const list = useList({
    key: ['events', values],
    load: (page, signal) => loadFromEnd(values, Number(page || '0'), signal),
    refreshMs: 10_000,
  })
  return (
    <ListFrame list={list} empty={<Empty title="No event is published." />} end="These are all events.">
      <EventTable events={list.items} />
    </ListFrame>
  )
}

const pageSize = 50

/** Reads a page of an ascending list from its end. */
async function loadFromEnd(values: Readonly<Record<string, string>>, fromEnd: number, signal: AbortSignal) {
  const read = (page: number) =>
    unwrap(api.GET('/events', { params: { query: { ...values, page, limit: pageSize } }, signal }))
  const first = await read(1)
  const pages = 'totalPages' in first.meta ? first.meta.totalPages : 1
  const number = pages - fromEnd
  const { data } = number <= 1 ? first : await read(number)
  return { data: [...data].reverse(), meta: { hasMore: number > 1, nextCursor: String(fromEnd + 1) } }
}

function EventTable({ events }: { readonly events: readonly PublishedEvent[] }) {
  const [shown, setShown] = useState<PublishedEvent>()
  return (
    <>
      <Table caption="Published events, newest first" columns={['Published', 'Event', 'Id', actionsColumn]}>
        {events.map((event) => (
          <tr key={`${event.id} ${event.published_at}`}>
            <td className="cell-time">
              <Time value={event.published_at} />
            </td>
            <td className="cell-main">
              <Link href={`/deliveries/${event.delivery_id}`} className="row-link">
                <Untrusted text={event.name} limit={100} />
              </Link>
              <span className="row-detail">
                <Untrusted text={event.subject} limit={100} />
              </span>
              {event.endpoint !== null && (
                <span className="row-detail">
                  <Untrusted text={event.endpoint_name ?? event.endpoint} limit={100} />
                </span>
              )}
            </td>
            <td className="cell-problem">
              <code>
                <Untrusted text={event.id} limit={90} />
              </code>
            </td>
            <td className="cell-number">
              <Button
                look="quiet"
                onPress={() => {
                  setShown(event)
                }}
              >
                Data
              </Button>
            </td>
          </tr>
        ))}
      </Table>
      <EventData
        event={shown}
        onClose={() => {
          setShown(undefined)
        }}
      />
    </>
  )
}
