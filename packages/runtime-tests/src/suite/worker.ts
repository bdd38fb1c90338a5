import type { Specimens } from '../specimens.ts'
import type { Case } from './case.ts'
import { run } from './run.ts'

/** A worker that answers specimens with the lines of the cases. */
export const workerOf = (cases: (specimens: Specimens) => Promise<readonly Case[]>) => ({
  async fetch(request: Request): Promise<Response> {
    const specimens = (await request.json()) as Specimens
    const lines: string[] = []
    for await (const line of run(await cases(specimens))) lines.push(line)
    return new Response(lines.join('\n'))
  },
})
