// The page that shows the OpenAPI document. Its scripts are files, so that the content security policy can forbid all
// others; Swagger UI itself needs inline styles and images in data: addresses.
import { API_PREFIX } from '../../api/contract/routes.ts'

export const DOCS_PATH = `${API_PREFIX}/docs`

export const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Name of the script that starts Swagger UI. */
export const INITIALISER = 'initialise.js'

/** No request leaves the host: the validator of Swagger UI would send the document's address elsewhere. */
export const INITIALISER_SCRIPT = `window.addEventListener('load', () => {
  SwaggerUIBundle({
    url: '${API_PREFIX}/openapi.json',
    domNode: document.getElementById('docs'),
    validatorUrl: null,
    deepLinking: true,
  })
})
`

/** @param assets path under which the files are served, without a slash at its end */
export function docsPage(assets: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Knowledge Base Content Service</title>
<link rel="icon" type="image/png" href="${assets}/favicon-32x32.png">
<link rel="stylesheet" href="${assets}/swagger-ui.css">
<script src="${assets}/swagger-ui-bundle.js" defer></script>
<script src="${assets}/${INITIALISER}" defer></script>
</head>
<body><div id="docs"></div></body>
</html>
`
}
