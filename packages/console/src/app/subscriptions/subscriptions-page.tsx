import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { endpointFilter, type DeliveryFilter } from '../deliveries/delivery-filters.ts'
import { FilterBar } from '../deliveries/filter-bar.tsx'
import { useFilters } from '../deliveries/use-filters.ts'
import { PageHeader } from '../layout/layout.tsx'
import { useOperator } from '../session/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EndpointName } from '../ui/endpoint-name.tsx'
import { formatCount } from '../ui/format.ts'
import { ListFrame } from '../ui/list-frame.tsx'
import { Empty, ErrorNotice } from '../ui/notice.tsx'
import { actionsColumn, Table } from '../ui/table.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { useList } from '../ui/use-list.ts'

const filters: readonly DeliveryFilter[] = [
  { name: 'service', label: 'Service', placeholder: 'google' },
  endpointFilter,
]
const names = filters.map(({ name }) => name)

/** The webhooks that the server keeps alive at services. */
export function SubscriptionsPage() {
  const [values, setValues] = useFilters(names)
  const list = useList({
    key: ['subscriptions', values],
    load: (cursor, signal) =>
      unwrap(api.GET('/subscriptions', { params: { query: { ...values, cursor, limit: 50 } }, signal })),
    refreshMs: 5000,
  })
  return (
    <>
      <PageHeader
        title="Subscriptions"
        tabTitle="Subscriptions"
        lead="Webhooks that the server registers at services, renews before they expire, and repairs."
      />
      <FilterBar filters={filters} values={values} onChange={setValues} />
      <ListFrame
        list={list}
        empty={<Empty title="There is no subscription." />}
        end="These are all subscriptions."
      >
        <Table
          caption="Subscriptions, newest first"
          columns={['Subscription', 'Endpoint', 'State', 'Expires', 'Confirmed', actionsColumn]}
        >
          {list.items.map((one) => (
            <Row key={one.id} subscription={one} />
          ))}
        </Table>
      </ListFrame>
    </>
  )
}

function Row({ subscription }: { readonly subscription: Schemas['Subscription'] }) {
  const { id, service, state, error, failures, expires_at: expiresAt, checked_at: checkedAt } = subscription
  return (
    <tr>
      <td className="cell-main">
        <strong>{id}</strong>
        <span className="row-detail">
          {service} <Untrusted text={JSON.stringify(subscription.parameters)} limit={200} />
        </span>
      </td>
      <td data-label="Endpoint">
        {subscription.endpoint === null ? 'of the provider' : <EndpointName of={subscription} />}
      </td>
      <td className="cell-problem">
        <Badge state={state} />
        {error !== null && (
          <span className="row-detail">
            {error}
            {failures > 0 && `, ${formatCount(failures)} failed ${failures === 1 ? 'attempt' : 'attempts'}`}
          </span>
        )}
      </td>
      <td className="cell-time" data-label="Expires">
        {expiresAt === null ? <span className="muted">never</span> : <Time value={expiresAt} isRelative />}
      </td>
      <td className="cell-time" data-label="Confirmed">
        {checkedAt === null ? <span className="muted">not yet</span> : <Time value={checkedAt} isRelative />}
      </td>
      <td className="cell-number">
        <Renew id={id} />
      </td>
    </tr>
  )
}

function Renew({ id }: { readonly id: string }) {
  const { has } = useFeatures()
  const may = useOperator()?.may('manage') === true
  const queries = useQueryClient()
  const renew = useMutation({
    mutationFn: () => unwrap(api.POST('/subscriptions/{id}/renewals', { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['subscriptions'] }),
  })
  const label = renew.isSuccess ? 'Requested' : 'Renew now'
  if (!may || !has('renewSubscription')) return null
  return (
    <>
      <Button
        look="quiet"
        aria-label={`${label}: ${id}`}
        isDisabled={renew.isPending}
        onPress={() => {
          renew.mutate()
        }}
      >
        {label}
      </Button>
      {renew.isError && <ErrorNotice error={renew.error} />}
    </>
  )
}
