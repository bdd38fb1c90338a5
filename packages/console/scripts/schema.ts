import { createOperationsRoutes } from '@sallyport/operations'
import { createOpenApiDocument } from '@sallyport/rest/openapi'
import { openAccounts } from '@sallyport/sql/accounts'
import { createReplayer, createMemoryInbox } from '@sallyport/webhooks'
import type { WebhookOperations } from '@sallyport/webhooks/node'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { format } from 'prettier'

/** Creates the types of the operations API and of the accounts, with every route, from an OpenAPI document. */
export async function createSchema(): Promise<string> {
  const inbox = createMemoryInbox()
  // The document needs the routes only, so no port is called.
  const port = {} as never
  const method = () => port
  const lanes = {
    ...{ listLanes: method, pauseLane: method, resumeLane: method },
    ...{ skipLaneHead: method, retryLaneHead: method, cancelLane: method },
  }
  const operations: WebhookOperations = {
    inbox: { ...inbox, ...lanes },
    replayer: createReplayer({ inbox, providers: [] }),
    eraser: port,
    ...{ traffic: port, audit: port, unprocessed: port, replayUnprocessed: port },
    ...{ diagnoseUnprocessed: port, replayJobs: port, consumers: port, processes: port, providers: [] },
    endpoints: { endpoints: port, cipher: port, createTestSender: () => port },
    ...{ destinations: port, managedDestinations: { destinations: port, cipher: port } },
    ...{ declaredEndpoints: () => [], subscriptions: port, reconciliations: port },
  }
  const accounts = openAccounts({ db: port, secrets: ['x'.repeat(32)], issuer: 'x', audience: 'x' })
  const document = createOpenApiDocument({
    info: { title: 'Console', version: '1.0.0' },
    routes: [
      ...createOperationsRoutes({ operations }, { keys: port, catalogue: () => [] }),
      ...accounts.routes,
    ].map(({ route }) => ({ ...route, tags: [] })),
  })
  const types = astToString(await openapiTypescript(JSON.stringify(document), { alphabetize: true }))
  const header = '// Generated from the routes of @sallyport/operations and of accounts: npm run generate\n\n'
  return format(header + types, { parser: 'typescript', printWidth: 110, singleQuote: true, semi: false })
}
