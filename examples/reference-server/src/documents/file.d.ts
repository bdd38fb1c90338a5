/** A static file. */
export interface DocumentFile {
    /** Below `/api`. */
    readonly path: string;
    readonly headers: Readonly<Record<string, string>> & {
        readonly ETag: string;
    };
    readonly body: Uint8Array;
}
/** Creates a file that clients revalidate with its ETag on each request. */
export declare function documentFile(path: string, contentType: string, text: string, headers?: Readonly<Record<string, string>>): DocumentFile;
declare const contentTypes: {
    readonly css: 'text/css; charset=utf-8';
    readonly js: 'text/javascript; charset=utf-8';
};
/** Creates an asset of a page. Its path contains a hash of its content, so that clients cache it forever. */
export declare function assetFile(folder: string, name: string, type: keyof typeof contentTypes, body: string): DocumentFile;
/** Reads the file at a URL of `import.meta.resolve`. */
export declare function getText(url: string): string;
export {};
