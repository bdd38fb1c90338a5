import type { ColumnDataType, ColumnDefinitionBuilder, CreateTableBuilder, Expression, Kysely } from 'kysely'

type ColumnType = ColumnDataType | Expression<unknown>

/** The parts of the schema in which the engines differ. */
export interface Engine {
  /** An auto-incremented primary key that never reuses a number. */
  readonly sequence: {
    readonly type: ColumnType
    readonly build: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder
  }
  /** A reference to such a key. */
  readonly reference: ColumnType
  readonly bytes: ColumnType
  /** The type of the column that the database computes from the id of an event: the name of its destination, or null. */
  readonly eventDestination: Expression<unknown>
  /** The type of the column that the database computes from a body: the reference to its object, or null. */
  readonly bodyObject: Expression<unknown>
  /** The operator class of an indexed text that is searched by a prefix. */
  readonly textPattern: string
  /** The columns of the index of dead events by kind. */
  readonly deadKind: readonly string[]
  /** Stores the rows inside the primary key index, where the engine can. */
  readonly clustered: <Table extends string, Column extends string>(
    table: CreateTableBuilder<Table, Column>,
  ) => CreateTableBuilder<Table, Column>
  /** Sets how the engine stores large values, after all tables exist. */
  readonly setStorage?: (db: Kysely<unknown>) => Promise<void>
}
