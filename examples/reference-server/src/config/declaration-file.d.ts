import type { z } from 'zod';
/** The content of a file of declarations, or its problems. No problem holds a part of the file, which can be a secret. */
export type Declarations<Data> = {
    readonly data: Data;
    readonly problems?: never;
} | {
    readonly problems: readonly string[];
    readonly data?: never;
};
export declare const maxProblems = 20;
interface DeclarationFile<Schema extends z.ZodType> {
    /** A JSON file if the name ends with `.json`, otherwise YAML. */
    readonly path: string;
    readonly text: string;
    readonly schema: Schema;
}
/** Describes a file that cannot be read. */
export declare const unreadableFile: (setting: string, error: unknown) => string;
/** Parses and validates the file that a setting names. */
export declare function parseDeclarations<Schema extends z.ZodType>(setting: string, { path, text, schema }: DeclarationFile<Schema>): Declarations<z.output<Schema>>;
export {};
