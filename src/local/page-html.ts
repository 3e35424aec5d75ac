/** The page; everything in it comes by script, from this server. */
export const pageHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>podwhy</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%23326ce5'/%3E%3Ctext x='8' y='12.5' font-family='sans-serif' font-size='12' font-weight='700' text-anchor='middle' fill='%23fff'%3E?%3C/text%3E%3C/svg%3E">
<link rel="stylesheet" href="/local/page.css">
<script type="module" src="/local/page.js"></script>
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript. Without it, ask in a terminal: <code>podwhy explain NAMESPACE/POD</code>.</noscript>
</body>
</html>
`

/** Everything from this server only; inline styles because the Block Kit renderer sets some. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const
