import type { Specimens } from '../specimens.ts'
import type { Case } from './case.ts'
import { run } from './run.ts'

/** Creates a worker that requestAll specimens with the output of the cases. */
export const createWorker = (cases: (specimens: Specimens) => Promise<readonly Case[]>) => ({
  async fetch(request: Request): Promise<Response> {
    const specimens = (await request.json()) as Specimens
    const lines: string[] = []
    for await (const line of run(await cases(specimens))) lines.push(line)
    return new Response(lines.join('\n'))
  },
})
