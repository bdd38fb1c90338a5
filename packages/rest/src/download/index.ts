/**
 * Downloads with ranges: RFC 9110, section 14, and RFC 6266.
 *
 * @module
 */
export { answerDownload, type DownloadResult } from './answer-download.ts'
