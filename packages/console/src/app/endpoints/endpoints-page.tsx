import { useState } from 'react'
import { Link } from 'wouter'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useDeliveryCounts } from '../api/delivery-counts.ts'
import { useFeatures } from '../api/features.tsx'
import { providerFilter, type DeliveryFilter } from '../deliveries/delivery-filters.ts'
import { FilterBar } from '../deliveries/filter-bar.tsx'
import { useFilters } from '../deliveries/use-filters.ts'
import { PageHeader } from '../layout/layout.tsx'
import { useOperator } from '../session/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ListFrame } from '../ui/list-frame.tsx'
import { Empty } from '../ui/notice.tsx'
import { numberColumn, Table } from '../ui/table.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { useList } from '../ui/use-list.ts'
import { CreateEndpoint } from './create-endpoint.tsx'
import { DeclaredEndpoints } from './declared-endpoints.tsx'

const filters: readonly DeliveryFilter[] = [
  { name: 'search', label: 'Search', placeholder: 'Name' },
  providerFilter,
  { name: 'status', label: 'Status', choices: ['active', 'disabled'] },
  { name: 'labels', label: 'Labels', placeholder: 'region=eu,plan=gold' },
]

/** Addresses with separate secrets, such as one per customer. */
export function EndpointsPage() {
  const { has, accepts } = useFeatures()
  const operator = useOperator()
  const [isCreating, setCreating] = useState(false)
  const shown = filters.filter(({ name }) => accepts('listEndpoints', name))
  const [values, setValues] = useFilters(names)
  const list = useList({
    key: ['endpoints', values],
    load: (cursor, signal) =>
      unwrap(api.GET('/endpoints', { params: { query: { ...values, cursor, limit: 50 } as never }, signal })),
  })
  return (
    <>
      <PageHeader
        title="Endpoints"
        tabTitle="Endpoints"
        lead="Addresses of a provider with separate secrets, such as one per customer."
      >
        {has('createEndpoint') && operator?.may('manage') && (
          <Button
            look="primary"
            onPress={() => {
              setCreating(true)
            }}
          >
            Create endpoint
          </Button>
        )}
      </PageHeader>
      <FilterBar filters={shown} values={values} onChange={setValues} />
      <ListFrame list={list} empty={<Empty title="There is no endpoint." />} end="These are all endpoints.">
        <EndpointTable endpoints={list.items} />
      </ListFrame>
      {has('listDeclaredEndpoints') && <DeclaredEndpoints />}
      <CreateEndpoint
        isOpen={isCreating}
        onClose={() => {
          setCreating(false)
        }}
      />
    </>
  )
}

const names = filters.map(({ name }) => name)

function EndpointTable({ endpoints }: { readonly endpoints: readonly Schemas['Endpoint'][] }) {
  const { has } = useFeatures()
  const counts = useDeliveryCounts('endpoint').data?.data.groups ?? []
  const lastUses = new Map(counts.map((count) => [count.endpoint, count.last_received_at]))
  return (
    <Table
      caption="Endpoints"
      columns={[
        'Name',
        'Provider',
        'Status',
        numberColumn('Secrets'),
        has('getDeliveryStatistics') && 'Last delivery',
        'Created',
      ]}
    >
      {endpoints.map((endpoint) => (
        <tr key={endpoint.id}>
          <td className="cell-main">
            <Link href={`/endpoints/${endpoint.id}`} className="row-link">
              <Untrusted text={endpoint.name} limit={100} />
            </Link>
            <span className="row-detail">{endpoint.id}</span>
          </td>
          <td>{endpoint.provider}</td>
          <td>
            <Badge state={endpoint.status} />
          </td>
          <td className="cell-number" data-label="Secrets">
            {endpoint.secrets.length}
          </td>
          {has('getDeliveryStatistics') && <LastUse value={lastUses.get(endpoint.id)} />}
          <td className="cell-time" data-label="Created">
            <Time value={endpoint.created_at} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** When the newest delivery was received, if it is one of the newest events. */
function LastUse({ value }: { readonly value: string | undefined }) {
  return (
    <td className="cell-time" data-label="Last delivery">
      {value === undefined ? <span className="muted">not lately</span> : <Time value={value} isRelative />}
    </td>
  )
}
