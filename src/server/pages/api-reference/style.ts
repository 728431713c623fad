/** Styles on top of Swagger UI's own, with the colours of /look/style.css. */
export const style = `html {
  overflow-y: scroll;
  scroll-padding-top: 64px;
}

.bar {
  position: sticky;
  top: 0;
  z-index: 10;
  padding-inline: max(20px, calc((100vw - 1420px) / 2));
}

.profiles {
  display: flex;
  gap: 20px;
  max-width: 1460px;
  margin: 16px auto 0;
  padding: 0 20px;
}

.profiles a {
  color: var(--accent);
}

.swagger-ui,
.swagger-ui :is(h1, h2, h3, h4, h5, p, a, table, td, th, label, button, input, select, li, div, span):not(code, pre, code *, pre *, .microlight *) {
  font-family: inherit;
}

html.dark-mode, html.dark-mode .swagger-ui {
  background: var(--background);
}

html.dark-mode .swagger-ui .scheme-container {
  background: var(--paper);
  box-shadow: none;
}

.swagger-ui .info {
  margin: 32px 0;
}

.swagger-ui .info .title {
  color: var(--text);
  font-family: inherit;
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
