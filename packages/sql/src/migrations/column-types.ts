import type { ColumnDefinitionBuilder, ColumnDataType, CreateTableBuilder, Expression } from 'kysely'

type ColumnType = ColumnDataType | Expression<unknown>

/** Where engines differ in the tables that they share. */
export interface ColumnTypes {
  /** A primary key that counts up and never gives a number twice. */
  readonly sequence: {
    readonly type: ColumnType
    readonly build: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder
  }
  /** What refers to one. */
  readonly reference: ColumnType
  readonly bytes: ColumnType
  /** Stores the rows of a table in its primary key, where the engine can. */
  readonly clustered: <Table extends string, Column extends string>(
    table: CreateTableBuilder<Table, Column>,
  ) => CreateTableBuilder<Table, Column>
}
