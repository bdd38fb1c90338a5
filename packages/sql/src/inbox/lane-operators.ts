import { checkIntegers } from '@sallyport/internal/options'
import type { OperatorInbox } from '@sallyport/webhooks'
import type { Kysely } from 'kysely'
import { countBacklogs, listLanes } from '../deliveries/list-lanes.ts'
import { cancelFirst, pauseLane, resumeLane, retryFirst, skipFirst } from '../deliveries/operate-lanes.ts'
import type { RunTransaction } from '../deliveries/transaction.ts'
import type { InboxTables } from '../internal/tables.ts'
import { escapeText } from '../internal/text.ts'

type LaneOperators = Required<
  Pick<
    OperatorInbox,
    | 'listLanes'
    | 'destinationBacklogs'
    | 'pauseLane'
    | 'resumeLane'
    | 'skipLaneHead'
    | 'retryLaneHead'
    | 'cancelLane'
  >
>

// A cancellation locks its events in one transaction, and engines limit the parameters of a statement.
const maxLimit = 1000

/**
 * Creates the operations of operators on lanes.
 *
 * @param wake called after a change that may make a lane due
 */
export function createLaneOperators(
  db: Kysely<InboxTables>,
  transaction: RunTransaction,
  now: () => Promise<number>,
  wake: () => void,
): LaneOperators {
  const change: RunTransaction = async (run) => {
    const changed = await transaction(run)
    wake()
    return changed
  }
  return {
    async listLanes(query) {
      checkIntegers({ limit: query.limit }, 0, maxLimit)
      return await listLanes(db, query, await now())
    },
    destinationBacklogs: () => countBacklogs(db),
    pauseLane: (name) => transaction((one) => pauseLane(one, escapeText(name))),
    resumeLane: (name) => change((one) => resumeLane(one, escapeText(name))),
    skipLaneHead: (name, event) => change((one) => skipFirst(one, escapeText(name), escapeText(event))),
    retryLaneHead: (name) => change((one) => retryFirst(one, escapeText(name))),
    async cancelLane(name, { limit }) {
      checkIntegers({ limit }, 1, maxLimit)
      return await change((one) => cancelFirst(one, escapeText(name), limit))
    },
  }
}
