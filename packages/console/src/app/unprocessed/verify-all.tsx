import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, unwrap } from '../api/client.ts'
import { toCriteria } from '../deliveries/criteria.ts'
import type { Filters } from '../deliveries/use-filters.ts'
import { JobProgress } from '../jobs/job-progress.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

/** Verifies and normalizes all kept deliveries that match the filters again, as a job of the server. */
export function VerifyAll({ filters }: { readonly filters: Filters }) {
  const start = useMutation({
    mutationFn: () =>
      unwrap(api.POST('/unprocessed-deliveries/replays', { body: toCriteria(filters) as never })),
  })
  const id = start.data?.data.id ?? ''
  const job = useQuery({
    queryKey: ['replay-job', id],
    queryFn: ({ signal }) => unwrap(api.GET('/replay-jobs/{id}', { params: { path: { id } }, signal })),
    enabled: id !== '',
    refetchInterval: ({ state }) => (state.data?.data.status === 'running' || !state.data ? 500 : false),
  })
  const shown = job.data?.data ?? start.data?.data
  return (
    <section className="stack" aria-label="Verify again">
      <div>
        <Button
          isDisabled={start.isPending || shown?.status === 'running'}
          onPress={() => {
            start.mutate()
          }}
        >
          {Object.keys(filters).length === 0 ? 'Verify all again' : 'Verify all that match again'}
        </Button>
      </div>
      {start.isError && <Notice tone="bad">{start.error.message}</Notice>}
      {shown && (
        <>
          <JobProgress job={shown} />
          <p className="muted">
            The server continues when you leave this page: see <Link href="/jobs">Replay jobs</Link>.
          </p>
        </>
      )}
    </section>
  )
}
