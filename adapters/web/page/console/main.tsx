import { render } from "preact";
import { Console } from "./Console.tsx";
import "../src/styles/base.css";
import "../src/styles/controls.css";
import "../src/styles/header.css";
import "./styles/frame.css";
import "./styles/gauges.css";
import "./styles/tables.css";
import "./styles/forms.css";
import "./styles/facts.css";

const place = document.getElementById("page");
if (place) render(<Console />, place);
