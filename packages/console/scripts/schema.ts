import { createOperations } from '@sallyport/operations'
import { createFetchHandler } from '@sallyport/rest/fetch'
import { createReplayer, createMemoryInbox } from '@sallyport/webhooks'
import type { WebhookOperations } from '@sallyport/webhooks/node'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { format } from 'prettier'

/** Creates the types of the operations API, with every route, from its OpenAPI document. */
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
    declaredEndpoints: () => [],
  }
  const api = createOperations(
    { operations },
    { keys: port, catalogue: () => [], authorize: () => ({ id: 'nobody', permissions: [] }) },
  )
  const answer = createFetchHandler(api)
  const response = await answer(new Request('http://localhost/openapi.json'))
  const types = astToString(await openapiTypescript(await response.text(), { alphabetize: true }))
  const header = '// Generated from the OpenAPI document of @sallyport/operations: npm run generate\n\n'
  return format(header + types, { parser: 'typescript', printWidth: 110, singleQuote: true, semi: false })
}
