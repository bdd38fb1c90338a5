import type { ColumnType } from 'kysely'

/** A `bigint` that holds a safe integer. Drivers read it as they are set up to, so it is converted after reading. */
export type BigintColumn = ColumnType<number | string | bigint, number, number>
