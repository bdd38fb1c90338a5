import { describeWith } from '@sallyport/test-support/services'
import { afterAll, beforeAll, describe } from 'vitest'
import { startApi, type TestApi } from './api.ts'

/** Defines a suite for each supported database, with a new server and database. */
export function describeApi(
  define: (api: () => TestApi) => void,
  environment: Readonly<Record<string, string>> = {},
): void {
  describe('on SQLite', () => {
    defineOn(() => startApi(environment))
  })
  describeWith('postgres', (postgres) => {
    defineOn(() => startApi({ ...environment, DATABASE_URL: postgres().url }))
  })

  function defineOn(start: () => Promise<TestApi>): void {
    let api: TestApi | undefined
    beforeAll(async () => {
      api = await start()
    })
    afterAll(() => api?.[Symbol.asyncDispose]())
    define(() => {
      if (api === undefined) throw new Error('Ask for the server within a test or a hook')
      return api
    })
  }
}
