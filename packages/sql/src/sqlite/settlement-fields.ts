import type { Settlement } from '@sallyport/webhooks'

type Outcome = Settlement['outcome']

/** Settlements as one flat list, five values each: cloning many small objects takes several times as long. */
export type SettlementFields = readonly (string | number)[]

export function toSettlementFields(settlements: readonly Settlement[]): SettlementFields {
  const fields: (string | number)[] = []
  for (const { id, lease, outcome } of settlements) {
    fields.push(id, lease, outcome.status, numberIn(outcome), 'error' in outcome ? outcome.error : '')
  }
  return fields
}

export function settlementsOf(fields: SettlementFields): Settlement[] {
  const settlements: Settlement[] = []
  for (let index = 0; index < fields.length; index += 5) {
    const [id, lease, status, number, error] = fields.slice(index, index + 5) as Fields
    settlements.push({ id, lease, outcome: outcomeOf(status, number, error) })
  }
  return settlements
}

type Fields = [id: string, lease: string, status: Outcome['status'], number: number, error: string]

/** The number of an outcome: its delay, or 1 for a duplicate. */
function numberIn(outcome: Outcome): number {
  if (outcome.status === 'done') return outcome.duplicate === true ? 1 : 0
  if (outcome.status === 'retry') return outcome.afterMs
  return outcome.status === 'queued' ? outcome.redeliverAfterMs : 0
}

function outcomeOf(status: Outcome['status'], number: number, error: string): Outcome {
  switch (status) {
    case 'retry':
      return { status, afterMs: number, error }
    case 'queued':
      return { status, redeliverAfterMs: number }
    case 'dead':
      return { status, error }
    case 'done':
      return { status, duplicate: number === 1 }
    case 'released':
      return { status }
  }
}
