import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, unwrap, type Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { BulkReplay } from '../deliveries/bulk-replay.tsx'
import { FilterBar } from '../deliveries/filter-bar.tsx'
import { useFilters, type Filters } from '../deliveries/use-filters.ts'
import { PageHeader } from '../layout/layout.tsx'
import { useOperator } from '../session/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EndpointName } from '../ui/endpoint-name.tsx'
import { formatCount } from '../ui/format.ts'
import { Empty, ErrorNotice, Loading, Notice } from '../ui/notice.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'

type Failure = Schemas['Failure']

const filters = [
  { name: 'status', label: 'Status', choices: ['pending', 'queued', 'dead'] },
  { name: 'provider', label: 'Provider', placeholder: 'github' },
  { name: 'endpoint', label: 'Endpoint', placeholder: 'Id of an endpoint' },
]
const names = filters.map(({ name }) => name)

/** Failing events, grouped by their error. */
export function FailuresPage() {
  const { has } = useFeatures()
  const may = useOperator()?.may('replay') === true
  const queries = useQueryClient()
  const [values, setValues] = useFilters(names)
  const query = useQuery({
    queryKey: ['failures', values],
    queryFn: ({ signal }) => unwrap(api.GET('/failures', { params: { query: values as never }, signal })),
    refetchInterval: 5000,
  })
  const retryAll = useMutation({
    mutationFn: () => unwrap(api.POST('/retries', { body: { all: true } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['failures'] }),
  })
  const { groups = [], truncated = false } = query.data?.data ?? {}
  return (
    <>
      <PageHeader
        title="Failures"
        tabTitle="Failures"
        lead="Events that the bus did not take, by error. Pending events are retried; dead ones wait for a replay."
      >
        {has('retryEvents') && may && groups.some(({ status }) => status === 'pending') && (
          <Button
            look="primary"
            isDisabled={retryAll.isPending}
            onPress={() => {
              retryAll.mutate()
            }}
          >
            Retry all pending now
          </Button>
        )}
      </PageHeader>
      <FilterBar filters={filters} values={values} onChange={setValues} />
      {retryAll.isSuccess && <Notice>{formatCount(retryAll.data.data.events)} events are due now.</Notice>}
      {retryAll.isError && <ErrorNotice error={retryAll.error} />}
      {query.isPending && <Loading />}
      {query.isError && <ErrorNotice error={query.error} onRetry={query.refetch} />}
      {query.isSuccess && groups.length === 0 && <Empty title="No event fails." />}
      <ul className="stack">
        {groups.map((group) => (
          <Group
            key={JSON.stringify([group.provider, group.kind, group.error, group.status])}
            group={group}
            endpoint={values['endpoint']}
          />
        ))}
      </ul>
      {truncated && <p className="muted list-foot">There are more failures: the newest were grouped.</p>}
    </>
  )
}

function Group({ group, endpoint }: { readonly group: Failure; readonly endpoint: string | undefined }) {
  const { provider, kind, error, status, events } = group
  const criteria: Filters = {
    ...{ provider, status, kind },
    ...(error !== null && { error }),
    ...(endpoint !== undefined && { endpoint }),
  }
  return (
    <li className="card item">
      <div className="item-main">
        <p>
          <Badge state={status} />{' '}
          <Link href={`/deliveries?${new URLSearchParams(criteria).toString()}`} className="row-link">
            <Untrusted text={error ?? 'unknown error'} limit={120} />
          </Link>
        </p>
        <p>
          <strong>{formatCount(events)}</strong> {events === 1 ? 'event' : 'events'} of{' '}
          <code>
            <Untrusted text={`${provider}/${kind}`} limit={120} />
          </code>
        </p>
        {group.endpoint !== null && (
          <p>
            <EndpointName of={group} />
            {group.endpoints > 1 && ` and ${formatCount(group.endpoints - 1)} more`}
          </p>
        )}
        <p className="muted">
          First received <Time value={group.first_received_at} />, last{' '}
          <Time value={group.last_received_at} /> (
          <Time value={group.last_received_at} isRelative />
          ), <Link href={`/deliveries/${group.newest_delivery_id}`}>newest delivery</Link>
        </p>
      </div>
      <GroupAction status={status} criteria={criteria} />
    </li>
  )
}

/** The action that publishes the events of a group: a retry of waiting ones, otherwise a replay. */
function GroupAction({
  status,
  criteria,
}: {
  readonly status: Failure['status']
  readonly criteria: Filters
}) {
  const { has } = useFeatures()
  const may = useOperator()?.may('replay') === true
  const queries = useQueryClient()
  const retry = useMutation({
    mutationFn: () => unwrap(api.POST('/retries', { body: criteria })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['failures'] }),
  })
  if (!may) return null
  if (status !== 'pending')
    return has('replayDeliveries') && <BulkReplay filters={criteria} label="Replay group" />
  if (!has('retryEvents')) return null
  return (
    <div>
      <Button
        isDisabled={retry.isPending}
        onPress={() => {
          retry.mutate()
        }}
      >
        Retry group now
      </Button>
      {retry.isError && <ErrorNotice error={retry.error} />}
    </div>
  )
}
