import { createRunner, createMemoryInbox, type Provider } from '@sallyport/webhooks'
import { createConsumer } from '@sallyport/webhooks/consumer'
import { expect, expectTypeOf, it } from 'vitest'
import type { z } from 'zod'
import type { PostgresDatabase } from '../postgres/index.ts'
import type { SqliteDatabase } from '../sqlite/index.ts'

type Events = { rung: z.ZodType<{ door: string }>; 'bell.broken': z.ZodType<{ since: number }> }
type Providers = [Provider<Events, 'doorbell'>]
const once: SqliteDatabase['once'] = () => () => Promise.resolve()
const onceOfPostgres: PostgresDatabase['once'] = () => () => Promise.resolve()
const source = {
  ...{ open: () => Promise.resolve(), receive: () => Promise.resolve([]), close: () => Promise.resolve() },
}

it('infers the event of a handler from its name', () => {
  const runner = createRunner<Providers>({
    inbox: createMemoryInbox(),
    on: {
      'doorbell/rung': once('lights', ({ data, name }) => {
        expectTypeOf(data).toEqualTypeOf<{ door: string }>()
        expectTypeOf(name).toEqualTypeOf<'doorbell/rung'>()
        return undefined
      }),
      'doorbell/bell.broken': onceOfPostgres('lights', ({ data }) => {
        expectTypeOf(data).toEqualTypeOf<{ since: number }>()
        return (transaction) => {
          expectTypeOf(transaction).toHaveProperty('insertInto')
        }
      }),
    },
  })
  expect(runner).toHaveProperty('start')
})

it('infers the event of a consumer from its name', () => {
  const consumer = createConsumer<Providers>(source, {
    name: 'lights',
    handlers: {
      'doorbell/bell.broken': once('lights', ({ data }) => {
        expectTypeOf(data).toEqualTypeOf<{ since: number }>()
        return Promise.resolve(undefined)
      }),
      // @ts-expect-error the handler expects the data of another event
      'doorbell/rung': once(
        'lights',
        ({ data }: { id: string; data: { since: number } }) =>
          () =>
            data.since,
      ),
    },
  })
  expect(consumer).toHaveProperty('start')
})
