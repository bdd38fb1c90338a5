import { createEraser, type Eraser } from '../operations/eraser.ts'
import type { EndpointSource, OperatorInbox } from '../ports/ports.ts'
import type { UnprocessedStore } from '../unprocessed/store.ts'
import type { WebhookInbox } from './database.ts'
import { isManaged } from './endpoints.ts'
import { hasMethod } from './has-method.ts'
import type { Webhooks } from './webhooks.ts'

/** Opens the erasures of operators. An inbox without `erase` has none. */
export function openEraser(
  inbox: WebhookInbox,
  unprocessed: Pick<UnprocessedStore, 'erase' | 'count'> | undefined,
  endpoints: EndpointSource | undefined,
): { readonly eraser: Eraser | undefined } & Pick<Webhooks, 'eraseEndpoint'> {
  const eraser = canErase(inbox)
    ? createEraser({
        ...{ inbox, unprocessed },
        endpoints: endpoints !== undefined && isManaged(endpoints) ? endpoints : undefined,
      })
    : undefined
  return {
    eraser,
    async eraseEndpoint(id) {
      if (eraser === undefined) throw new TypeError('The inbox has no erase')
      return await eraser.eraseEndpoint(id)
    },
  }
}

const canErase = (inbox: WebhookInbox): inbox is WebhookInbox & Pick<OperatorInbox, 'erase' | 'list'> =>
  hasMethod(inbox, 'erase') && hasMethod(inbox, 'list')
