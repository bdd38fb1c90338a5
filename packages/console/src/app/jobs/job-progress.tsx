import { Label } from 'react-aria-components/TextField'
import { ProgressBar } from 'react-aria-components/ProgressBar'
import type { Schemas } from '../api/client.ts'
import { formatCount } from '../ui/format.ts'

/** How far a job is, and what became of its deliveries. */
export function JobProgress({ job }: { readonly job: Schemas['ReplayJob'] }) {
  const { total, processed, source } = job
  const [done, same] =
    source === 'unprocessed' ? ['recorded', 'still ignored or refused'] : ['replayed', 'unchanged']
  return (
    <ProgressBar className="progress" value={processed} maxValue={Math.max(total, processed, 1)}>
      {({ percentage }) => (
        <>
          <Label className="progress-label">
            {formatCount(processed)} of {formatCount(total)}: {formatCount(job.replayed)} {done},{' '}
            {formatCount(job.unchanged)} {same}, {formatCount(job.quarantined)} quarantined,{' '}
            {formatCount(job.erased)} erased
            {job.handled > 0 &&
              `; consumers ${job.reprocess ? 'handle again' : 'skip'} ${formatCount(job.handled)} handled events`}
          </Label>
          <span className="progress-track">
            <span className="progress-fill" style={{ width: `${percentage ?? 0}%` }} />
          </span>
        </>
      )}
    </ProgressBar>
  )
}
