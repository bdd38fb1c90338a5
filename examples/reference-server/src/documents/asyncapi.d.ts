import type { AnyProvider } from '@sallyport/webhooks';
/** An AsyncAPI 3.0 document. */
export interface AsyncApiDocument {
    readonly asyncapi: '3.0.0';
    readonly info: object;
    readonly defaultContentType: string;
    readonly channels: Readonly<Record<string, object>>;
    readonly operations: Readonly<Record<string, object>>;
    readonly components: {
        readonly messages: Readonly<Record<string, object>>;
        readonly schemas: Readonly<Record<string, object>>;
    };
}
/**
 * Creates the AsyncAPI document of the events that the server publishes: a channel for each declared kind of the
 * providers, and one with the parameter `kind` for a service whose events are handed on.
 *
 * @see https://www.asyncapi.com/docs/reference/specification/v3.0.0
 */
export declare function createAsyncApiDocument(providers: readonly AnyProvider[]): AsyncApiDocument;
