import type { ColumnDefinitionBuilder, ColumnDataType, CreateTableBuilder, Expression } from 'kysely'

type ColumnType = ColumnDataType | Expression<unknown>

/** Column types in which the engines differ. */
export interface ColumnTypes {
  /** An auto-incremented primary key that never reuses a number. */
  readonly sequence: {
    readonly type: ColumnType
    readonly build: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder
  }
  /** A reference to such a key. */
  readonly reference: ColumnType
  readonly bytes: ColumnType
  /** An expression for the part of a text column before the first `: `. */
  readonly firstPart: (column: string) => string
  /** The operator class of an indexed text that is searched by a prefix. */
  readonly textPattern: string
  /** Stores the rows inside the primary key index, where the engine can. */
  readonly clustered: <Table extends string, Column extends string>(
    table: CreateTableBuilder<Table, Column>,
  ) => CreateTableBuilder<Table, Column>
}
