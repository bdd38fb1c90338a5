import type { EventSchemas } from '@sallyport/webhooks';
/** A JSON Schema of draft 7, the dialect of AsyncAPI. */
export type DataSchema = Readonly<Record<string, unknown>>;
/**
 * Converts the schema of an event's data. Returns undefined for a schema without JSON Schema, such as a schema of valibot.
 *
 * @param address the reference to the schema in the document, to which its own references are relative
 * @see https://standardschema.dev/json-schema
 */
export declare function convertSchema(schema: EventSchemas[string], address: string): DataSchema | undefined;
