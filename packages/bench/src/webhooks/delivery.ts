import { samples } from '@sallyport/providers/codehost/samples'
import type { LoadRequest } from '../frame/load-job.ts'

export const secret = 'the-secret-of-the-code-host'

const { headers, body } = samples.sample('workflow_run.completed')
const { workflow_run: run, ...rest } = body as { workflow_run: object; repository: Repository }
/** The run without its id, which the load generator appends to make every delivery a new event. */
const unnumbered = Object.fromEntries(
  Object.entries(run as Fields).filter(([name]) => name !== 'id'),
) as Fields

type Fields = Readonly<Record<string, unknown>>
interface Repository extends Fields {
  readonly full_name: string
}

/** Number of digits of an id. */
const digits = 15
const tail = '}}'

/**
 * Creates the load of a completed workflow run, with a new id per request: the recorded delivery of 21 KB, or a delivery
 * of a given size, which has the fields of the event and a list of repositories. With a number of endpoints, each request is for
 * the next endpoint.
 */
export function createRunLoad(bytes?: number, endpoints?: number): LoadRequest {
  const json = bytes === undefined ? recorded : filled(bytes - tail.length - digits)
  return {
    path: '/webhooks/codehost',
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: json,
    numbered: { secret, tail, ...(endpoints !== undefined && { endpoints }) },
  }
}

/** Serializes an object up to the id at its end. */
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
