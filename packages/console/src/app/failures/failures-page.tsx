import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, unwrap } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { endpointFilter, providerFilter, type DeliveryFilter } from '../deliveries/delivery-filters.ts'
import { FilterBar } from '../deliveries/filter-bar.tsx'
import { useFilters } from '../deliveries/use-filters.ts'
import { PageHeader } from '../layout/layout.tsx'
import { useOperator } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { formatCount } from '../ui/format.ts'
import { Empty, ErrorNotice, Loading, Notice } from '../ui/notice.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { CauseCard } from './cause-card.tsx'
import { findCauses } from './causes.ts'

const filters: readonly DeliveryFilter[] = [
  { name: 'status', label: 'Status', choices: ['pending', 'queued', 'dead'] },
  providerFilter,
  endpointFilter,
]
const names = filters.map(({ name }) => name)

/** Failing events by their cause. */
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
  const causes = useMemo(() => findCauses(groups), [groups])
  return (
    <>
      <PageHeader
        title="Failures"
        tabTitle="Failures"
        lead="Events whose last attempt failed, by error. Pending events are retried; dead ones wait for a replay."
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
      <ShowMore items={causes} step={10}>
        {(shown) => (
          <ul className="stack">
            {shown.map((cause) => (
              <CauseCard key={cause.error} cause={cause} filters={values} />
            ))}
          </ul>
        )}
      </ShowMore>
      {truncated && <p className="muted list-foot">There are more failures: the newest were grouped.</p>}
    </>
  )
}
