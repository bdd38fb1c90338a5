import type { OpenApiTag } from '@sallyport/rest/openapi';
/** The tags of routes, in the order of the document. */
export declare const tags: readonly OpenApiTag[];
