import { openPostgres } from '@sallyport/sql/postgres'
import { openSqlite } from '@sallyport/sql/sqlite'
import { createMemoryInbox, type CompleteInbox } from '@sallyport/webhooks'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { defineTrial, fullTurnMs } from '../frame/trial.ts'
import { openStage, type Stage } from '../webhooks/stage.ts'
import { drain, fill, nowhere } from './drain.ts'
import { createEvents } from './events.ts'

const backlog = 100_000

interface Opened {
  readonly inbox: CompleteInbox
  readonly close: () => Promise<void>
}

const opening: Readonly<Record<string, (stage: Stage) => Promise<Opened>>> = {
  memory: () => {
    const inbox = createMemoryInbox({ keys: backlog })
    return Promise.resolve({ inbox, close: () => inbox.close() })
  },
  SQLite: async ({ directory }) => {
    const database = await openSqlite({ path: join(await mkdtemp(join(directory, 'drain-')), 'inbox.db') })
    return { inbox: database.inbox(), close: () => database.close() }
  },
  PostgreSQL: async ({ databaseUrl }) => {
    const database = await openPostgres({ url: await databaseUrl() })
    await database.migrate()
    return { inbox: database.inbox(), close: () => database.close() }
  },
}

const does: Readonly<Record<string, string>> = {
  memory: 'Claims and settles in this process.',
  SQLite: 'Claims batches from a file and settles each with a durable commit.',
  PostgreSQL: 'Claims batches with SKIP LOCKED over loopback and settles each with a durable commit.',
}

export default defineTrial<Stage>({
  name: 'drain',
  what: 'A dispatcher publishes a backlog of 100,000 unclaimed events, each of a separate delivery, to a bus that discards them. A tenth or less with --quick.',
  unit: 'events/s',
  base: 'memory',
  rounds: 2,
  prepare: openStage,
  release: ({ close }) => close(),
  sides: Object.entries(opening).map(([name, open]) => ({
    name,
    does: does[name] ?? '',
    async turn(stage, turnMs) {
      const count = Math.round(backlog * Math.min(1, turnMs / fullTurnMs))
      const { inbox, close } = await open(stage)
      try {
        await fill(inbox, createEvents(count))
        return { value: await drain(inbox, nowhere, count) }
      } finally {
        await close()
      }
    },
  })),
})
