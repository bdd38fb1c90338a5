import { sql, type Kysely } from 'kysely'

/** Everything that two databases could differ in, a line each, without the name of the schema. */
export async function describeSchema(db: Kysely<unknown>, schema: string): Promise<readonly string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', 'column', table_name, ordinal_position, column_name, data_type, character_maximum_length,
      is_nullable, column_default, is_identity, identity_generation) as line
    from information_schema.columns where table_schema = ${schema}
    union all
    select concat_ws(' ', 'storage', attrelid::regclass, reloptions, attname, attstorage)
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = ${schema}::regnamespace and relkind = 'r' and attnum > 0
    union all
    select concat_ws(' ', 'index', indexdef) from pg_indexes where schemaname = ${schema}
    union all
    select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = ${schema}::regnamespace
    union all
    select concat_ws(' ', 'sequence', sequencename, data_type, start_value, increment_by, cycle)
    from pg_sequences where schemaname = ${schema}`.execute(db)
  return rows.map(({ line }) => line.replaceAll(`${schema}.`, '')).sort()
}
