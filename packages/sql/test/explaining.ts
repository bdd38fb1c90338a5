import { Kysely } from 'kysely'
import type pg from 'pg'
import { SchemaDialect } from '../src/postgres/dialect.ts'
import type { InboxTables } from '../src/internal/tables.ts'

/** A node of a plan that was run. */
export interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Total Cost': number
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly Plans?: readonly Plan[]
}

const getPlans = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(getPlans)]

/** Runs statements for their plans: each answers with no rows, and is in `plans` with all of its nodes. */
export function explaining(pool: pg.Pool) {
  const plans: Plan[] = []
  const client = {
    async query(text: string, values: unknown[]) {
      const { rows } = await pool.query(`explain (analyze, format json) ${text}`, values)
      plans.push(...getPlans((rows as { 'QUERY PLAN': [{ Plan: Plan }] }[])[0]!['QUERY PLAN'][0].Plan))
      return { command: 'SELECT', rowCount: 0, rows: [] }
    },
    release: () => undefined,
  }
  const lender = {
    options: {},
    connect: () => Promise.resolve(client as never),
    end: () => Promise.resolve(),
  }
  return { db: new Kysely<InboxTables>({ dialect: new SchemaDialect(lender, undefined) }), plans }
}

export const getRows = (plan: Plan): number => plan['Actual Rows'] * plan['Actual Loops']

/** With the rows that were read in vain. */
export const scanned = (plan: Plan): number =>
  (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']

/** The pairs that a join looked at in vain. */
export const compared = (plan: Plan): number =>
  (plan['Rows Removed by Join Filter'] ?? 0) * plan['Actual Loops']
