/** Styles on top of Swagger UI's own: the top bar, the accent colour and simpler tables. */
export const style = `:root {
  --ink: #134e4a;
  --accent: #0f766e;
  --line: #e2e8f0;
  --paper: #fff;
  --ground: #f8fafc;
}

@media (prefers-color-scheme: dark) {
  :root {
    --ink: #ccfbf1;
    --accent: #2dd4bf;
    --line: #2c3b50;
    --paper: #17212f;
    --ground: #0f1722;
  }
}

html {
  box-sizing: border-box;
  overflow-y: scroll;
  scroll-padding-top: 64px;
}

*, *::before, *::after {
  box-sizing: inherit;
}

body {
  margin: 0;
  background: var(--ground);
  font-family: system-ui, sans-serif;
}

.bar {
  position: sticky;
  top: 0;
  z-index: 10;
  display: flex;
  justify-content: space-between;
  align-items: center;
  padding: 10px max(20px, calc((100vw - 1420px) / 2));
  background: var(--paper);
  border-bottom: 1px solid var(--line);
}

.bar a {
  color: var(--ink);
  text-decoration: none;
  font-weight: 600;
}

.bar nav a {
  margin-left: 24px;
  font-weight: 500;
}

.bar a:hover {
  color: var(--accent);
}

.bar .brand {
  display: flex;
  align-items: center;
  gap: 10px;
  font-size: 18px;
}

html.dark-mode, html.dark-mode .swagger-ui {
  background: var(--ground);
}

html.dark-mode .swagger-ui .scheme-container {
  background: var(--paper);
  box-shadow: none;
}

.swagger-ui .info {
  margin: 32px 0;
}

.swagger-ui .info .title {
  color: var(--ink);
}

.swagger-ui .info a {
  color: var(--accent);
}

.swagger-ui .info .markdown {
  max-width: 80ch;
}

.swagger-ui .info__contact,
.swagger-ui .info__license,
.swagger-ui .response-col_links {
  display: none;
}

.swagger-ui .scheme-container {
  border: 1px solid var(--line);
  border-width: 1px 0;
  box-shadow: none;
}
`
