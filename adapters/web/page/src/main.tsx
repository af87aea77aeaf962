import { render } from "preact";
import { App } from "./app.tsx";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/header.css";
import "./styles/conversation.css";
import "./styles/composer.css";
import "./styles/composer-media.css";
import "./styles/gallery.css";

const place = document.getElementById("page");
if (place) render(<App />, place);
