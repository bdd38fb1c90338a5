import type { ErrorExamples } from '@sallyport/rest/openapi';
/** Creates the errors in the examples of the document, as the server sends them. */
export declare function createErrorExamples(bodyLimit: number): ErrorExamples;
