import { assetFile, getText, type DocumentFile } from './file.ts'
import { baseStyle, createPage } from './page.ts'

/**
 * Creates the page `/docs` of Swagger UI with its assets.
 *
 * @see https://swagger.io/docs/open-source-tools/swagger-ui/usage/configuration/
 */
export function swaggerUiFiles(): readonly DocumentFile[] {
  const base = assetFile('/docs', 'page', 'css', baseStyle)
  const style = assetFile(
    '/docs',
    'swagger-ui',
    'css',
    getText(import.meta.resolve('swagger-ui-dist/swagger-ui.css')),
  )
  const bundle = assetFile(
    '/docs',
    'swagger-ui-bundle',
    'js',
    getText(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  )
  const start = assetFile('/docs', 'start', 'js', `SwaggerUIBundle(${JSON.stringify(options, null, 2)})\n`)
  const scripts = [bundle, start]
  const styles = [base, style]
  return [createPage({ path: '/docs', title: 'Sallyport API', styles, scripts }), ...styles, ...scripts]
}

const options = {
  dom_id: '#api',
  url: 'openapi.json',
  deepLinking: true,
  displayOperationId: true,
  // Disables the public validator, which would fetch the document.
  validatorUrl: null,
}
