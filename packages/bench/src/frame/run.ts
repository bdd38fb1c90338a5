import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Effort } from './benchmark.ts'
import type { Entry } from './catalogue.ts'
import type { Result } from './result.ts'

/** The result of a benchmark, or the reason of its failure. */
export type Outcome = { readonly id: string } & (
  { readonly result: Result } | { readonly failure: string; readonly what: string }
)

/** Measures a benchmark in a separate process. */
export async function run({ id, benchmark: { what } }: Entry, effort: Effort): Promise<Outcome> {
  const child = fork(fileURLToPath(new URL('./child.ts', import.meta.url)), {
    execArgv: ['--conditions=@sallyport/source', '--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const answer = await new Promise<{ result: Result } | { failure: string }>((resolve) => {
    child.once('message', (message) => {
      resolve(message as { result: Result } | { failure: string })
    })
    child.once('error', ({ message }) => {
      resolve({ failure: message })
    })
    child.once('exit', (code, signal) => {
      resolve({ failure: `Its process ended with ${String(code ?? signal)}` })
    })
    child.send({ id, effort })
  })
  return 'result' in answer ? { id, ...answer } : { id, what, ...answer }
}
