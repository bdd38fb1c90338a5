import { Link } from 'wouter'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { endpointFilter, providerFilter, type DeliveryFilter } from '../deliveries/delivery-filters.ts'
import { FilterBar } from '../deliveries/filter-bar.tsx'
import { useFilters } from '../deliveries/use-filters.ts'
import { PageHeader } from '../layout/layout.tsx'
import { useOperator } from '../session/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { formatBytes } from '../ui/format.ts'
import { ListFrame } from '../ui/list-frame.tsx'
import { Empty } from '../ui/notice.tsx'
import { numberColumn, Table } from '../ui/table.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { useList } from '../ui/use-list.ts'
import { VerifyAll } from './verify-all.tsx'

const filters: readonly DeliveryFilter[] = [
  { name: 'outcome', label: 'Outcome', choices: ['ignored', 'refused'] },
  providerFilter,
  { name: 'kind', label: 'Kind', placeholder: 'star.created' },
  { name: 'reason', label: 'Reason', placeholder: 'mismatch' },
  endpointFilter,
  { name: 'value', label: 'Id or value', placeholder: 'X-GitHub-Delivery' },
  { name: 'receivedAfter', label: 'Received after', isTime: true },
  { name: 'receivedBefore', label: 'Received before', isTime: true },
]
const names = filters.map(({ name }) => name)

/** Deliveries that became no event, which the server keeps for a short time. */
export function UnprocessedPage() {
  const { has } = useFeatures()
  const may = useOperator()?.may('replay') === true
  const [values, setValues] = useFilters(names)
  const list = useList({
    key: ['unprocessed', values],
    load: (cursor, signal) =>
      unwrap(
        api.GET('/unprocessed-deliveries', {
          params: { query: { ...values, cursor, limit: 50 } as never },
          signal,
        }),
      ),
    refreshMs: 10_000,
  })
  return (
    <>
      <PageHeader
        title="Ignored and refused"
        tabTitle="Ignored and refused"
        lead="Deliveries of kinds that no provider handles, and deliveries without a valid signature. They are kept for a short time."
      />
      <FilterBar filters={filters} values={values} onChange={setValues} />
      {has('replayUnprocessedDeliveries', 'getReplayJob') && may && (
        <VerifyAll key={JSON.stringify(values)} filters={values} />
      )}
      <ListFrame
        list={list}
        empty={<Empty title="No such delivery is kept." />}
        end="These are all kept deliveries."
      >
        <Table
          caption="Ignored and refused deliveries, newest first"
          columns={['Outcome', 'Received', 'Delivery', 'Reason', numberColumn('HTTP'), numberColumn('Size')]}
        >
          {list.items.map((delivery) => (
            <Row key={delivery.id} delivery={delivery} />
          ))}
        </Table>
      </ListFrame>
    </>
  )
}

function Row({ delivery }: { readonly delivery: Schemas['UnprocessedDelivery'] }) {
  const { id, provider, kind, outcome } = delivery
  return (
    <tr>
      <td>
        <Badge state={outcome} />
      </td>
      <td className="cell-time">
        <Time value={delivery.created_at} />
      </td>
      <td className="cell-main">
        <Link href={`/unprocessed/${id}`} className="row-link">
          <Untrusted text={kind === null ? provider : `${provider}/${kind}`} limit={100} />
        </Link>
        <span className="row-detail">
          <Untrusted text={delivery.endpoint_name ?? delivery.endpoint ?? id} limit={100} />
        </span>
      </td>
      <td className="cell-problem">
        {delivery.reason === null ? (
          outcome === 'ignored' ? (
            'kind is not handled'
          ) : (
            '–'
          )
        ) : (
          <Untrusted text={delivery.reason} limit={100} />
        )}
      </td>
      <td className="cell-number" data-label="HTTP">
        {delivery.status}
      </td>
      <td className="cell-number" data-label="Size">
        {formatBytes(delivery.body_bytes)}
      </td>
    </tr>
  )
}
