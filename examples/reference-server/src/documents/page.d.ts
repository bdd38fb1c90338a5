import { type DocumentFile } from './file.ts';
/** The base style of the pages; the libraries add their own. */
export declare const baseStyle = "html { box-sizing: border-box }\n*, ::before, ::after { box-sizing: inherit }\nbody { margin: 0 }\n";
export interface PageOptions {
    /** Below `/api`. */
    readonly path: string;
    readonly title: string;
    readonly styles: readonly DocumentFile[];
    /** In the order of their execution. */
    readonly scripts: readonly DocumentFile[];
    /** Additional sources of the content security policy. */
    readonly policy?: {
        readonly style?: readonly string[];
        readonly worker?: readonly string[];
    };
}
/**
 * Creates a page with one element, `#api`, for its scripts.
 * Links are relative, so that the page works with a proxy that adds a prefix. The policy forbids inline scripts and other
 * origins.
 */
export declare function createPage({ path, title, styles, scripts, policy }: PageOptions): DocumentFile;
