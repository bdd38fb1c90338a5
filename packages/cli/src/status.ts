import { z } from 'zod'
import { envelopeSchema, requestApi, type ApiOptions } from './api.ts'
import { printable, printableJson, type Io } from './io.ts'
import { formatTable } from './table.ts'
import { printOrWatch, type WatchOptions } from './watch.ts'

const status = envelopeSchema(
  z.object({
    status: z.string(),
    dependencies: z.array(
      z.object({ name: z.string(), status: z.string(), detail: z.string().nullable().default(null) }),
    ),
    notices: z.array(z.string()),
    roles: z
      .array(z.object({ role: z.string(), alive: z.number(), dead: z.number() }))
      .nullable()
      .default(null),
    counts: z.record(z.string(), z.number()).nullable(),
    oldest_pending_at: z.string().nullable(),
    consumers: z.object({ pending: z.number(), failing: z.number(), dead_letters: z.number() }).nullable(),
    lanes: z.object({ open: z.number(), stuck: z.number(), paused: z.number() }).nullable(),
    published: z.number().nullable(),
  }),
)

/** Prints the state of the server: its dependencies, its notices and the numbers of events. */
export function printStatus(options: ApiOptions & WatchOptions, io: Io): Promise<number> {
  async function render(): Promise<readonly string[]> {
    const { data } = await requestApi({ method: 'GET', path: '/status' }, status, options, io)
    if (options.json === true) return [printableJson(data)]
    const { consumers, lanes } = data
    const counts = {
      ...data.counts,
      ...(data.published !== null && { published: data.published }),
      ...(consumers && {
        consumers_pending: consumers.pending,
        consumers_failing: consumers.failing,
        consumers_dead: consumers.dead_letters,
      }),
      ...(lanes && { lanes_open: lanes.open, lanes_stuck: lanes.stuck, lanes_paused: lanes.paused }),
    }
    return [
      printable(data.status),
      ...(data.dependencies.length === 0
        ? []
        : formatTable(
            ['dependency', 'status', 'detail'],
            data.dependencies.map(({ name, status: state, detail }) => [name, state, detail ?? '-']),
            io.columns,
          )),
      ...(data.roles === null
        ? []
        : formatTable(
            ['role', 'alive', 'dead'],
            data.roles.map(({ role, alive, dead }) => [role, String(alive), String(dead)]),
            io.columns,
          )),
      ...formatTable(
        ['events', 'number'],
        Object.entries(counts).map(([name, count]) => [name, String(count)]),
        io.columns,
      ),
      ...(data.oldest_pending_at === null ? [] : [`oldest pending: ${printable(data.oldest_pending_at)}`]),
      ...data.notices.map((notice) => printable(notice)),
    ]
  }
  return printOrWatch(render, options, io)
}
