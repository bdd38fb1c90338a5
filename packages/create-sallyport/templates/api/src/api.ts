import { createBearerAuthentication } from '@sallyport/auth'
import { createApi } from '@sallyport/rest'
import { createDocuments } from '@sallyport/rest/openapi'
import { createRestStores } from '@sallyport/sql/rest'
import { createBookRoutes } from './books.ts'
import type { Database } from './database.ts'
import { createTokenOptions } from './tokens.ts'

/** Creates the API. The secret signs its cursors, and verifies its tokens. */
export const createMyApi = (database: Database, secret: string) =>
  createApi({
    authenticate: createBearerAuthentication(createTokenOptions(secret)),
    secrets: [secret],
    idempotency: createRestStores(database.kysely).idempotency,
    documents: createDocuments({ title: 'my-app', version: '1.0.0' }),
    onError: (error) => {
      console.error(error)
    },
    routes: createBookRoutes(database),
  })
