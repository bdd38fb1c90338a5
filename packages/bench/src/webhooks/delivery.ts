import { sample } from '@sallyport/providers/codehost/samples'
import type { LoadRequest } from '../frame/load-job.ts'

export const secret = 'the-secret-of-the-code-host'

const { headers, body } = sample('workflow_run.completed')
const { workflow_run: run, ...rest } = body as { workflow_run: object; repository: Repository }
/** The number of the run, which makes a delivery another event, stands last. */
const unnumbered = Object.fromEntries(
  Object.entries(run as Fields).filter(([name]) => name !== 'id'),
) as Fields

type Fields = Readonly<Record<string, unknown>>
interface Repository extends Fields {
  readonly full_name: string
}

/** As long as any number that a delivery is given. */
const digits = 15
const tail = '}}'

/**
 * A finished workflow run of the code host's, each time it is sent another one: the recorded delivery of 21 KB, or one of
 * so many bytes, which has little else of it than what becomes of the event and a list of repositories.
 */
export function runOf(bytes?: number): LoadRequest {
  const json = bytes === undefined ? recorded : filled(bytes - tail.length - digits)
  return {
    path: '/webhooks/codehost',
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: json,
    numbered: { secret, tail },
  }
}

/** The JSON of an object without the number at its end. */
const open = (start: object, last: object): string =>
  `${JSON.stringify({ ...start, workflow_run: last }).slice(0, -tail.length)},"id":`

const recorded = open(rest, unnumbered)

function filled(bytes: number): string {
  const { name, head_branch, head_sha, run_number, run_attempt, event, conclusion, updated_at } = unnumbered
  const little = { name, head_branch, head_sha, run_number, run_attempt, event, conclusion, updated_at }
  const repository = { full_name: rest.repository.full_name }
  const make = (filling: readonly unknown[], padding: string) =>
    open({ action: 'completed', repository, filling, padding }, { ...little, pull_requests: [] })
  const missing = bytes - make([], '').length
  const filling = Array<Repository>(Math.floor(missing / (JSON.stringify(rest.repository).length + 1))).fill(
    rest.repository,
  )
  return make(filling, 'x'.repeat(bytes - make(filling, '').length))
}
